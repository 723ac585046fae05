/** What each category of a grade is about. */
export const CATEGORIES = {
  "C-01": "Texts that speak to the agent",
  "C-02": "More than it says",
  "C-03": "Secrets that get out",
  "C-04": "Spoiled and hostile input",
  "X-01": "Everything it advertises",
  "X-02": "What it says unasked",
  "X-03": "Change during the run",
  "X-04": "Behind the caller's back",
  "X-05": "Worth knowing",
} as const;

export type CategoryId = keyof typeof CATEGORIES;
