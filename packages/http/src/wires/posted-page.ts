import { form } from './form.ts';
import { page } from './page.ts';
import type { Wire } from './wire.ts';

/** Wire of a form that a browser posts from another site's page, answered with a page. */
export const postedPage: Wire = {
  reads: form.reads,
  ...(form.decode ? { decode: form.decode } : {}),
  takesAnyQuery: true,
  answer: page.answer,
  refuse: page.refuse,
  told: (row) => ({ ...page.told(row), body: form.reads[0] }),
};
