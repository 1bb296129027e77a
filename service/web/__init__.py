"""The aiohttp shell."""
