export const link = "link";
