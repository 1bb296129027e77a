// Package decant makes tool results safe to show: Fit cuts one to its budget, More reads on. Neither fails.
package decant

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

const (
	most   = 16_000 // bytes that are shown of a result when the service cannot be asked
	notice = "… [cut here; the rest cannot be read now. Ask for less, or call this tool again later.]"
	again  = "Reading on is not possible now. Call this tool again in a few seconds."
)

// Options of the service: source, policy, budget, query; or find, path, startLine, endLine of More.
type Options map[string]any

// Fit is a CallToolResult, as JSON, within the budget.
func Fit(result json.RawMessage, options Options) json.RawMessage {
	if fitted := ask("/compact", options, "payload", result); fitted != nil {
		return fitted
	}
	return Cut(result)
}

// More is what a printed cursor leads to: the body of the tool fetch_more.
func More(cursor string, options Options) json.RawMessage {
	if found := ask("/more", options, "cursor", cursor); found != nil {
		return found
	}
	return text(again, true)
}

// Cut is what can be shown without the service: the beginning, never the whole of a large result.
func Cut(result json.RawMessage) json.RawMessage {
	var parsed struct {
		Content []struct{ Type, Text string }
		IsError bool
	}
	if len(result) <= most && json.Valid(result) {
		return result
	}
	shown := string(result)
	if json.Unmarshal(result, &parsed) == nil {
		texts := []string{}
		for _, block := range parsed.Content {
			if block.Type == "text" {
				texts = append(texts, block.Text)
			}
		}
		shown = strings.Join(texts, "\n")
	}
	if len(shown) > most {
		shown = strings.ToValidUTF8(shown[:most], "")
	}
	return text(shown+"\n"+notice, parsed.IsError)
}

// Text is a CallToolResult of one text.
func Text(said string) json.RawMessage { return text(said, false) }

func text(said string, isError bool) json.RawMessage {
	block := map[string]string{"type": "text", "text": said}
	made, _ := json.Marshal(map[string]any{"content": []any{block}, "isError": isError})
	return made
}

// ask is the service's result; nil when there is none in time: gone, slow, busy, refused or unreadable.
func ask(path string, options Options, name string, what any) json.RawMessage {
	body := Options{"shape": "mcp", name: what}
	for option, value := range options {
		body[option] = value
	}
	data, err := json.Marshal(body)
	if err != nil {
		return nil
	}
	seconds, err := strconv.ParseFloat(os.Getenv("DECANT_TIMEOUT"), 64)
	if err != nil {
		seconds = 5
	}
	url := os.Getenv("DECANT_URL")
	if url == "" {
		url = "http://127.0.0.1:8080"
	}
	request, err := http.NewRequest("POST", url+path, bytes.NewReader(data))
	if err != nil {
		return nil
	}
	request.Header.Set("Content-Type", "application/json")
	if token := os.Getenv("DECANT_TOKEN"); token != "" {
		request.Header.Set("Authorization", fmt.Sprint("Bearer ", token))
	}
	client := http.Client{Timeout: time.Duration(seconds * float64(time.Second))} // the body included
	answer, err := client.Do(request)
	if err != nil {
		return nil
	}
	defer answer.Body.Close()
	var found struct{ Result json.RawMessage }
	if answer.StatusCode != http.StatusOK || json.NewDecoder(answer.Body).Decode(&found) != nil {
		return nil
	}
	return found.Result
}
