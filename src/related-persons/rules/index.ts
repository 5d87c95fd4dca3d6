export {
  type AcceptedRelatedPerson,
  acceptRelatedPerson,
  type ContactCircle,
} from "./accept-related-person.ts";
