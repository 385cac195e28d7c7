/** How conditions are joined. */
export const GROUPS = [
  { name: 'all', takes: 'list', sentence: 'Holds when every condition in it holds.' },
  { name: 'any', takes: 'list', sentence: 'Holds when at least one condition in it holds.' },
  { name: 'not', takes: 'one', sentence: 'Holds when its condition is false; what is unknown stays unknown.' },
  {
    name: 'any_element',
    takes: 'element',
    sentence:
      'Holds when one element of the list that "of" leads to meets the condition in "meets" as a whole; its fields begin with "of".',
  },
] as const;
export type GroupName = (typeof GROUPS)[number]['name'];
