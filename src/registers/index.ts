export { addressAdapter } from "./address/address-adapter.ts";
export { areAddressesAsked, isAboutPerson } from "./answers/about-question.ts";
export type { AnswerKey, AnswerStore } from "./answers/answer-store.ts";
export { KeptAnswers } from "./answers/kept-answers.ts";
export { CheckedAuthors } from "./checked-authors.ts";
export { employmentAdapter } from "./employment/employment-adapter.ts";
export { unsoundField } from "./exchange/answer-values.ts";
export { plainCode, plainTexts } from "./exchange/plain-texts.ts";
export { watchedClient } from "./exchange/watched-client.ts";
export { type XRoadClient, xRoadClient } from "./exchange/x-road-client.ts";
export { type Fetch, xRoadFetch } from "./exchange/x-road-fetch.ts";
export { linkageNotificationAdapter } from "./linkage-notification/linkage-notification-adapter.ts";
export { populationAdapter } from "./population/population-adapter.ts";
export {
  ofEachRegister,
  type RegisterAddresses,
  type RegisterName,
  registerNames,
} from "./register-addresses.ts";
export { socialInsuranceAdapter } from "./social-insurance/social-insurance-adapter.ts";
export { unemploymentAdapter } from "./unemployment/unemployment-adapter.ts";
