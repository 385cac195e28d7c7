/** An invisible character that breaks what chats and mail programs treat as a link or a mention. */
export const GAP = '\u200b';

/** Returns a text that contains user-chosen names without links: no address in it works as one. */
export const removeLinks = (text: string): string => text.replaceAll('://', `:${GAP}//`).replace(/\b(www|mailto)([.:])/gi, `$1${GAP}$2`);

/** The same for a name alone, in which no host name is left either: mail programs turn those into links too. */
export const removeHosts = (text: string): string => removeLinks(text).replace(/(?<=[\p{L}\p{N}-])\.(?=\p{L})/gu, `.${GAP}`);
