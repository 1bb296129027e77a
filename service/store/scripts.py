"""The two scripts that Redis runs: a save's last step and a read, each atomic and in one round trip."""

# KEYS[1] is the index; the segments' keys are derived from it and lie in its slot
_ARM = """
local index, segment, ttl = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local prefix = string.sub(index, 1, -6)
local function arm(life)
  local sizes = redis.call('HGETALL', index)
  for i = 1, #sizes, 2 do
    for n = 0, math.ceil(sizes[i + 1] / segment) - 1 do
      redis.call('PEXPIRE', prefix .. sizes[i] .. ':' .. n, life)
    end
  end
  redis.call('PEXPIRE', index, life)
end
"""

# ARGV: segment, ttl, number of parts, (part, size) ..., (key, data) ...
SAVE = (
    _ARM
    + """
local first = 4 + 2 * tonumber(ARGV[3])
local life = math.max(ttl, redis.call('PTTL', index))
for i = first, #ARGV, 2 do
  redis.call('SET', ARGV[i], ARGV[i + 1], 'PX', life)
end
for i = 4, first - 1, 2 do
  redis.call('HSET', index, ARGV[i], ARGV[i + 1])
end
arm(life)
"""
)

# ARGV: segment, ttl or -1, (part, start, end or -1) ...; answers (size or -1, bytes) for each, one segment in all
READ = (
    _ARM
    + """
local found, budget = {}, segment
for i = 3, #ARGV, 3 do
  local part, from, to = ARGV[i], tonumber(ARGV[i + 1]), tonumber(ARGV[i + 2])
  local size, keys, pieces = tonumber(redis.call('HGET', index, part) or -1), {}, {}
  for n = 0, math.ceil(size / segment) - 1 do
    keys[n + 1] = prefix .. part .. ':' .. n
  end
  if #keys > 0 and redis.call('EXISTS', unpack(keys)) < #keys then
    size = -1
  end
  if to < 0 or to > size then
    to = size
  end
  while from < to and budget > 0 do
    local n = math.floor(from / segment)
    local till = math.min(to, (n + 1) * segment, from + budget)
    pieces[#pieces + 1] = redis.call('GETRANGE', keys[n + 1], from - n * segment, till - n * segment - 1)
    budget = budget - (till - from)
    from = till
  end
  found[#found + 1] = {size, table.concat(pieces)}
end
if ttl >= 0 and redis.call('EXISTS', index) == 1 and redis.call('PTTL', index) < ttl then
  arm(ttl)
end
return found
"""
)
