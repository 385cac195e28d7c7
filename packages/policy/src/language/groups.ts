/** Groups of conditions. */
export const GROUPS = [
  { name: 'all', takes: 'list', sentence: 'True if all conditions in it are true.' },
  { name: 'any', takes: 'list', sentence: 'True if at least one condition in it is true.' },
  { name: 'not', takes: 'one', sentence: 'True if its condition is false; an unknown condition stays unknown.' },
  {
    name: 'any_element',
    takes: 'element',
    sentence:
      'True if one element of the list at the path in "of" meets the entire condition in "meets"; the fields of that condition begin with the path in "of".',
  },
] as const;
export type GroupName = (typeof GROUPS)[number]['name'];
