import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MailTemplate } from '../templates/mail-template.ts';
import { MAIL_TEMPLATES } from '../templates/templates.ts';
import { boxed } from './boxed.ts';
import { renderMail } from './render-mail.ts';

const templates = Object.entries<MailTemplate>(MAIL_TEMPLATES);
const placeholders = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
const usedBy = ({ subject, parts }: MailTemplate): string[] => [
  ...placeholders(subject),
  ...parts.flatMap((part) => (typeof part === 'string' ? placeholders(part) : ['code' in part ? part.code : part.link])),
];

for (const [name, template] of templates) {
  test(`the mail ${name} contains all its values in plain text and in HTML, and names no other`, () => {
    const { subject, text, html } = renderMail(template, template.sample);
    assert.deepEqual(new Set(usedBy(template)), new Set(Object.keys(template.sample)));
    for (const value of Object.values(template.sample)) {
      assert.ok(text.includes(value), `${value} in\n${text}`);
      assert.ok(html.includes(value.replaceAll('&', '&amp;')), `${value} in\n${html}`);
    }
    assert.doesNotMatch(text + html + subject, /\{\w+\}|undefined|\[object/);
    assert.match(subject, /^[^\r\n]{5,100}$/);
    assert.match(html, /^<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>/);
    // A mail loads no remote content.
    assert.doesNotMatch(html, /<(script|img|link|style|iframe|form)|src=|url\(/i);
    assert.ok(template.perHourMax >= 1 && template.perHourMax <= 20);
  });

  test(`the mail ${name} has no code in its subject, which locked screens show`, () => {
    for (const part of template.parts)
      if (typeof part === 'object' && 'code' in part) assert.ok(!placeholders(template.subject).includes(part.code));
  });
}

const HOSTILE = '<b>"x"</b>&\'{code}\r\nBcc: all@example.com\u001b[2J\u202e\u2028\u0000';

test('renders a value as one line of text: no element, header, placeholder or terminal control', () => {
  const template: MailTemplate = {
    perHourMax: 1,
    sample: { name: 'Ada', code: '1', link: 'https://a.example' },
    subject: 'For {name}',
    parts: ['Hello {name}', { code: 'code' }, { link: 'link', says: 'Here' }],
  };
  const { subject, text, html } = renderMail(template, { name: HOSTILE, code: HOSTILE, link: `javascript:${HOSTILE}` });
  assert.equal(subject, 'For <b>"x"</b>&\'{code} Bcc: all@example.\u200bcom [2J');
  assert.equal(text.split('\n').length, 7);
  assert.ok(!html.includes('<b>') && html.includes('&lt;b&gt;&quot;x&quot;&lt;/b&gt;&amp;&#39;{code} Bcc'));
  assert.ok(!html.includes('href'), 'what is no address of the web leads nowhere');
  const written = `${subject}${text}${html}${boxed({ to: HOSTILE, subject: HOSTILE, text })}`.replaceAll('\n', '');
  // Except for the invisible character that breaks a link.
  assert.doesNotMatch(written.replaceAll('\u200b', ''), /[\p{Cc}\p{Cf}\p{Zl}]/u);
  assert.ok(renderMail(template, { name: 'x'.repeat(10_000), code: '', link: '' }).subject.length < 600);
});

test('links lead to the address that they show', () => {
  const template: MailTemplate = {
    perHourMax: 1,
    sample: { link: 'https://a.example' },
    subject: 's',
    parts: [{ link: 'link', says: 'Join' }],
  };
  const { text, html } = renderMail(template, { link: 'https://a.example/?a=1&b="' });
  assert.equal(text, 'Join:\nhttps://a.example/?a=1&b="\n');
  assert.ok(html.includes('<a href="https://a.example/?a=1&amp;b=&quot;">Join</a>'));
});

test('a box contains a mail whole, and a long link unbroken', () => {
  const link = `https://a.example/${'x'.repeat(120)}`;
  const box = boxed({ to: 'ada@example.com', subject: 'Hello', text: `${'word '.repeat(40)}\n\n${link}\n` });
  const lines = box.split('\n');
  assert.ok(box.includes(link));
  assert.ok(
    lines.filter((line) => !line.includes(link)).every((line) => line.length === 80),
    box,
  );
});

test("links no name that a user chose, in any mail, and the service's own values", () => {
  const leads = /https?:\/\/evil|www\.evil|mailto:|evil\.example/i;
  const chosen = 'Payroll: https://evil.example/login HTTP://evil.example www.evil.example mailto:a@evil.example evil.example/pay';
  for (const name of ['organization', 'inviter', 'role'] as const) {
    const { sample } = MAIL_TEMPLATES.invitation;
    const { text, html, subject } = renderMail(MAIL_TEMPLATES.invitation, { ...sample, [name]: chosen });
    assert.doesNotMatch(text + html + subject, leads, name);
    for (const own of [sample.service, sample.link]) assert.ok(text.includes(own) && html.includes(own), name);
  }
  const { sample } = MAIL_TEMPLATES.notification;
  const { text } = renderMail(MAIL_TEMPLATES.notification, { ...sample, organization: chosen, what: `${chosen} payments.refund` });
  assert.doesNotMatch(text, /https?:\/\/evil|www\.evil|mailto:/i);
  assert.match(text, /payments\.refund/);
});
