export { answer } from "../register/answer.ts";
