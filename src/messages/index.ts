export { blankMessages } from "./blank-message.ts";
export { compiled, type NameOf } from "./compiled-code.ts";
export { readMessage } from "./read-message.ts";
export { roughBytes } from "./rough-bytes.ts";
export { writeMessage } from "./write-message.ts";
