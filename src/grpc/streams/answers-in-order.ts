/**
 * Works on the messages of a stream, so many at once, and gives the answers in the order of the messages, each as soon
 * as it and those before it are there. No message is taken from the stream before there is room for it. The stream is
 * let go when nobody reads on, and when the work on a message fails.
 */
export async function* answersInOrder<Item, Result>(
  items: AsyncIterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const source = items[Symbol.asyncIterator]();
  try {
    yield* answersTo(source, atOnce, work);
  } finally {
    // Not waited for: a message that is awaited may never come.
    void source.return?.().catch(() => {});
  }
}

async function* answersTo<Item, Result>(
  source: AsyncIterator<Item>,
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = [];
  let coming: Promise<IteratorResult<Item>> | undefined;
  for (let isOver = false; !isOver || running.length > 0; ) {
    if (!isOver && running.length < atOnce) coming ??= quiet(source.next());
    const answered = running[0]?.then((result) => ({ result }));
    const taken = coming?.then((item) => ({ item }));
    const first = await Promise.race([answered, taken].filter((one) => one !== undefined));
    if ("result" in first) {
      running.shift();
      yield first.result;
    } else {
      coming = undefined;
      if (first.item.done) isOver = true;
      else running.push(quiet(work(first.item.value)));
    }
  }
}

/** A promise whose failure shows when its turn comes, or to nobody when the stream has ended before. */
function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
