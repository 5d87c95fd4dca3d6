/** Another service said more than anybody can want of it, or what is no text. */
export class UnreadableAnswer extends Error {
  override readonly name = "UnreadableAnswer";
}

/**
 * The text of another service's answer, of so many bytes at the most as they are after decompression; UnreadableAnswer
 * for more, of which the rest is not read, and for what is not UTF-8: letters would be lost.
 */
export async function answerText({ headers, body }: Response, mostBytes: number): Promise<string> {
  if (Number(headers.get("content-length") ?? 0) > mostBytes) {
    await body?.cancel();
    throw tooLong(mostBytes);
  }
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let bytes = 0;
  // Leaving the loop cancels the body.
  for await (const part of body ?? []) {
    bytes += part.length;
    if (bytes > mostBytes) throw tooLong(mostBytes);
    text += decoded(() => decoder.decode(part, { stream: true }));
  }
  return text + decoded(() => decoder.decode());
}

function decoded(decode: () => string): string {
  try {
    return decode();
  } catch (cause) {
    throw new UnreadableAnswer("The answer is not in UTF-8.", { cause });
  }
}

function tooLong(mostBytes: number): UnreadableAnswer {
  return new UnreadableAnswer(`The answer is longer than ${mostBytes} bytes.`);
}
