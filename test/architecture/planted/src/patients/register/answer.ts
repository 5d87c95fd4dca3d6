export const answer = "patient";
