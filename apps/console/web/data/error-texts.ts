import { ERRORS, type ErrorCode } from '@svc/contract/tables/errors.ts';
import type { ApiError } from './answer.ts';

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(ERRORS, code);

/** Returns the title and the action for a person. A message that is more specific than the default of its code replaces the title. */
export const formatErrorTexts = ({ code, message, remedy }: ApiError): { readonly title: string; readonly action?: string | undefined } => {
  if (!isErrorCode(code)) return { title: message, action: remedy };
  const { message: usual, people } = ERRORS[code];
  return { title: message === usual ? people.title : message, action: people.action };
};
