/** One part of a mail: a paragraph in which `{value}` is a placeholder; a code by itself; or a link with its text. */
export type MailPart<Value extends string> = string | { readonly code: Value } | { readonly link: Value; readonly says: string };

/** The content of a mail, from which both the plain text and the HTML are rendered. */
export type MailTemplate<Value extends string = string> = {
  /** Rate limit: mails of this kind per recipient and hour. */
  readonly perHourMax: number;
  /** Example values for the preview of developers. */
  readonly sample: Readonly<Record<Value, string>>;
  readonly subject: string;
  readonly parts: readonly MailPart<NoInfer<Value>>[];
};

export const mailTemplate = <const Value extends string>(template: MailTemplate<Value>): MailTemplate<Value> => template;
