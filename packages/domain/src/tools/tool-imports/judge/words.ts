/** Words for ending something or taking it away. */
export const ENDS =
  /\b(delete|deletes|remove|removes|destroy|purge|erase|wipe|drop|cancel|revoke|terminate|archive|disable|suspend|void|close|deactivate|detach|reject|uninstall|evict|expire|forget|prune|kick|ban|truncate|decommission|deprovision|unregister)\b/;

/** A text in words of small letters, each part of a name a word, with single spaces between them. */
export const worded = (text: string): string =>
  text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ');

export const splitWords = (text: string): readonly string[] =>
  worded(text)
    .split(' ')
    .filter((word) => word !== '');
