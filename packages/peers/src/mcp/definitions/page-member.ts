/** Returns true for a member of `_meta` that names a page of the server. Such a page inside the client would be an unauthorized channel. */
export const isPageMember = (name: string): boolean => name === 'ui' || name.startsWith('ui/') || name === 'openai/outputTemplate';
