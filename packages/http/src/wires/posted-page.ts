import { form } from './form.ts';
import { page } from './page.ts';
import type { Wire } from './wire.ts';

/** A form that a browser brings from a page of another site, and the page that answers it. */
export const postedPage: Wire = {
  reads: form.reads,
  ...(form.decode ? { decode: form.decode } : {}),
  takesAnyQuery: true,
  answer: page.answer,
  refuse: page.refuse,
  told: (row) => ({ ...page.told(row), body: form.reads[0] }),
};
