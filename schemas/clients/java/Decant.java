import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Makes tool results safe to show: fit cuts one to its budget, more reads on. JSON in, JSON out; neither throws. */
public final class Decant {
    private static final String URL = env("DECANT_URL", "http://127.0.0.1:8080");
    private static final String TOKEN = env("DECANT_TOKEN", "");
    private static final long TIMEOUT = Math.round(1000 * Double.parseDouble(env("DECANT_TIMEOUT", "5")));
    private static final int MOST = 16_000; // characters that are shown when the service cannot be asked
    private static final String NOTICE =
            "… [cut here; the rest cannot be read now. Ask for less, or call this tool again later.]";
    private static final String AGAIN = "Reading on is not possible now. Call this tool again in a few seconds.";
    private static final Pattern IS_ERROR = Pattern.compile("(?<!\\\\)\"isError\"\\s*:\\s*true");
    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofMillis(TIMEOUT))
            .build();

    private Decant() {}

    /** A CallToolResult within the budget; options: source, policy, budget, query ..., as name, value, name, value. */
    public static String fit(String result, Object... options) {
        String fitted = ask("/compact", "\"payload\":" + result, options);
        return fitted != null ? fitted : cut(result);
    }

    /** What a printed cursor leads to; options: find, path, startLine, endLine. The body of the tool fetch_more. */
    public static String more(String cursor, Object... options) {
        String found = ask("/more", "\"cursor\":" + quoted(cursor), options);
        return found != null ? found : text(AGAIN, true);
    }

    /** What can be shown without the service: the beginning, never the whole of a large result. */
    public static String cut(String result) {
        if (result.length() <= MOST) return result;
        int end = Character.isHighSurrogate(result.charAt(MOST - 1)) ? MOST - 1 : MOST;
        return text(result.substring(0, end) + "\n" + NOTICE, IS_ERROR.matcher(result).find());
    }

    /** A CallToolResult of one text. */
    public static String text(String said, boolean isError) {
        return "{\"content\":[{\"type\":\"text\",\"text\":" + quoted(said) + "}],\"isError\":" + isError + "}";
    }

    /** The service's result; null when there is none in time: gone, slow, busy, refused or unreadable. */
    private static String ask(String path, String what, Object... options) {
        try {
            StringBuilder body = new StringBuilder("{\"shape\":\"mcp\",").append(what);
            for (int i = 0; i + 1 < options.length; i += 2)
                if (options[i + 1] != null)
                    body.append(",").append(quoted(options[i].toString())).append(":")
                            .append(options[i + 1] instanceof Number ? options[i + 1] : quoted(options[i + 1].toString()));
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(URL + path))
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(body.append("}").toString()));
            if (!TOKEN.isEmpty()) request.header("Authorization", "Bearer " + TOKEN);
            HttpResponse<String> answer = CLIENT.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString())
                    .get(TIMEOUT, TimeUnit.MILLISECONDS); // the body included
            return answer.statusCode() == 200 ? result(answer.body()) : null;
        } catch (Exception | StackOverflowError error) {
            return null;
        }
    }

    /** The value of the answer's first member, "result". */
    private static String result(String answer) {
        String head = "{\"result\":";
        if (!answer.startsWith(head)) return null;
        int depth = 0;
        boolean inString = false;
        for (int i = head.length(); i < answer.length(); i++) {
            char c = answer.charAt(i);
            if (inString) {
                if (c == '\\') i++;
                else if (c == '"') inString = false;
            } else if (c == '"') inString = true;
            else if (c == '{' || c == '[') depth++;
            else if ((c == '}' || c == ']') && --depth == 0) return answer.substring(head.length(), i + 1);
        }
        return null;
    }

    /** A string as JSON. */
    public static String quoted(String said) {
        StringBuilder made = new StringBuilder("\"");
        for (char c : said.toCharArray()) {
            if (c == '"' || c == '\\') made.append('\\').append(c);
            else if (c < ' ') made.append(String.format("\\u%04x", (int) c));
            else made.append(c);
        }
        return made.append('"').toString();
    }

    private static String env(String name, String otherwise) {
        String value = System.getenv(name);
        return value == null || value.isEmpty() ? otherwise : value;
    }
}
