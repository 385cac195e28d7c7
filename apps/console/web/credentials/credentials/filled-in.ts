import type { Values } from '../../design/form.tsx';

/** The fields that are not empty. */
export const getFilledFields = (values: Values): Values => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));

/** The fields below one member, by their names inside it: `oauth/scope` in `oauth` is `scope`. */
export const getFilledFieldsBelow = (member: string, values: Values): Values => {
  const start = `${member}/`;
  return Object.fromEntries(
    Object.entries(getFilledFields(values)).flatMap(([name, value]) => (name.startsWith(start) ? [[name.slice(start.length), value]] : [])),
  );
};

/** Hosts or names, separated by commas or spaces. */
export const getNames = (text = ''): readonly string[] => text.split(/[\s,]+/).filter((name) => name !== '');
