import type { Values } from '../../design/form.tsx';

/** What somebody wrote; a field that stays empty is not sent. */
export const filledIn = (values: Values): Values => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));

/** The same of the fields that are named as members of one, `oauth/scope` in `oauth`, as faults are. */
export const filledInOf = (member: string, values: Values): Values => {
  const start = `${member}/`;
  return Object.fromEntries(
    Object.entries(filledIn(values)).flatMap(([name, value]) => (name.startsWith(start) ? [[name.slice(start.length), value]] : [])),
  );
};

/** Hosts or names, with commas or spaces between. */
export const namesIn = (text = ''): readonly string[] => text.split(/[\s,]+/).filter((name) => name !== '');
