export { addressAdapter } from "./address/address-adapter.ts";
export type { AnswerKey, AnswerStore } from "./answers/answer-store.ts";
export { KeptAnswers } from "./answers/kept-answers.ts";
export { employmentAdapter } from "./employment/employment-adapter.ts";
export { type XRoadClient, xRoadClient } from "./exchange/x-road-client.ts";
export { linkageNotificationAdapter } from "./linkage-notification/linkage-notification-adapter.ts";
export { populationAdapter } from "./population/population-adapter.ts";
export { socialInsuranceAdapter } from "./social-insurance/social-insurance-adapter.ts";
export { unemploymentAdapter } from "./unemployment/unemployment-adapter.ts";
