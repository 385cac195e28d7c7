/** Breaks what chats and mail programs take for a link or a mention, and is not seen. */
export const GAP = '\u200b';

/** A text with names in it that anybody may have chosen, so that it leads nowhere: no address in it is one any more. */
export const withoutLinks = (text: string): string => text.replaceAll('://', `:${GAP}//`).replace(/\b(www|mailto)([.:])/gi, `$1${GAP}$2`);

/** The same of a name alone, in which no name of a host is left either: mail programs make links of those too. */
export const withoutHosts = (text: string): string => withoutLinks(text).replace(/(?<=[\p{L}\p{N}-])\.(?=\p{L})/gu, `.${GAP}`);
