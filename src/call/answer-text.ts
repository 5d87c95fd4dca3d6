/** Another service said more than anybody can want of it. */
export class AnswerTooLong extends Error {
  override readonly name = "AnswerTooLong";
}

/**
 * The text of another service's answer, of so many bytes at the most as they are after decompression; AnswerTooLong for
 * more, of which the rest is not read.
 */
export async function answerText({ headers, body }: Response, mostBytes: number): Promise<string> {
  if (Number(headers.get("content-length") ?? 0) > mostBytes) {
    await body?.cancel();
    throw tooLong(mostBytes);
  }
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  // Leaving the loop cancels the body.
  for await (const part of body ?? []) {
    bytes += part.length;
    if (bytes > mostBytes) throw tooLong(mostBytes);
    text += decoder.decode(part, { stream: true });
  }
  return text + decoder.decode();
}

function tooLong(mostBytes: number): AnswerTooLong {
  return new AnswerTooLong(`The answer is longer than ${mostBytes} bytes.`);
}
