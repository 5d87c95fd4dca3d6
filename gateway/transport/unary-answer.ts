import type { DescMessage, DescMethodUnary, DescService, MessageShape } from "@bufbuild/protobuf";
import type { UnaryResponse } from "@connectrpc/connect";

/** The metadata of a response. */
export interface AnswerMetadata {
  readonly responseHeader: Headers;
  readonly responseTrailer: Headers;
}

/**
 * The response of a unary call, whose metadata are read only when somebody asks for them: few do, and Headers are dear
 * to build. It is a class because an object literal with getters has a shape of its own each time, by which V8 keeps
 * all that the getters see until a full garbage collection.
 */
export class UnaryAnswer<I extends DescMessage, O extends DescMessage> implements UnaryResponse<I, O> {
  readonly stream = false;
  readonly service: DescService;
  readonly method: DescMethodUnary<I, O>;
  readonly message: MessageShape<O>;
  readonly #metadata: AnswerMetadata;

  constructor(method: DescMethodUnary<I, O>, message: MessageShape<O>, metadata: AnswerMetadata) {
    this.service = method.parent;
    this.method = method;
    this.message = message;
    this.#metadata = metadata;
  }

  get header(): Headers {
    return this.#metadata.responseHeader;
  }

  get trailer(): Headers {
    return this.#metadata.responseTrailer;
  }
}
