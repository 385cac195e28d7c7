import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { freshDatabase } from '@svc/testing/database/database.ts';
import { call } from '@svc/testing/people/client.ts';
import { signUp } from '@svc/testing/people/tenant.ts';
import { type StartedPlanes, startPlanes } from '@svc/testing/planes/start-planes.ts';

let planes: StartedPlanes;
before(async () => {
  planes = await startPlanes({ gateways: 0 });
});
after(() => planes.stop());

const get = (path: string) => call(planes.controlUrl, 'GET', path);
const pathOf = (url: string): string => url.slice(planes.controlUrl.length);

test('getSetupPage: the link of a first start opens a page that takes nothing from elsewhere and runs only its own script', async () => {
  assert.match(planes.setupUrl ?? '', new RegExp(`^${planes.controlUrl}/setup\\?token=svc_setup_[0-9A-Za-z]{49}$`));
  const page = await get(pathOf(planes.setupUrl ?? ''));
  assert.equal(page.status, 200);
  const policy = page.headers.get('content-security-policy') ?? '';
  for (const rule of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"])
    assert.ok(policy.includes(rule));
  assert.ok(!policy.includes('unsafe'));
  assert.equal(page.headers.get('referrer-policy'), 'no-referrer');
  assert.equal(page.headers.get('cache-control'), 'no-store');
  assert.doesNotMatch(page.text, /\b(src|href)="(?!\/)|\son\w+=|<style|style="/);
  const assets = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? '');
  assert.deepEqual(new Set(assets), new Set(['/setup/style.css', '/setup/app.js', '/docs']));
  for (const path of assets) assert.equal((await get(path)).status, 200, path);
});

test('every field of the page has a label, a place for its fault, and a name that sign-up knows', async () => {
  const { text } = await get(pathOf(planes.setupUrl ?? ''));
  const fields = [...text.matchAll(/<input id="(\w+)" name="(\w+)"/g)].map(([, id, name]) => [id, name]);
  assert.deepEqual(
    fields.map(([, name]) => name),
    ['organizationName', 'name', 'email', 'password'],
  );
  for (const [id, name] of fields) {
    assert.equal(id, name);
    assert.ok(text.includes(`<label for="${id}">`) && text.includes(`id="${id}-fault"`), id);
  }
  assert.match(text, /<html lang="en">/);
});

/** Shell variables that a text sets or uses. */
const variablesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/\$\{?([A-Z][A-Z_]+)|\b([A-Z][A-Z_]+)=(?=['"$h])/g)].map(([, used, set]) => used ?? set ?? '')),
];

test('both pages call the addresses and the session by the names that the first guide goes on with', async () => {
  const guide = variablesIn(readFileSync(new URL('../../../../../docs/guides/first-governed-tool.md', import.meta.url), 'utf8'));
  const pages = [await get(pathOf(planes.setupUrl ?? '')), await get('/setup'), await get('/setup/app.js')];
  const named = new Set(pages.flatMap(({ text }) => variablesIn(text)));
  assert.deepEqual([...named].sort(), ['CONTROL', 'GATEWAY', 'SESSION']);
  for (const name of named) assert.ok(guide.includes(name), name);
});

test('a link that was never issued, was cut short or is missing is gone, and the page says how to sign in', async () => {
  const token = (planes.setupUrl ?? '').split('token=')[1] ?? '';
  const other = `svc_setup_${'0'.repeat(49)}`;
  for (const query of ['', '?token=', `?token=${token.slice(0, -1)}`, `?token=${other}`, `?token=${token}&token=${token}`, '?token=%00']) {
    const { status, text } = await get(`/setup${query}`);
    assert.equal(status, 410, query);
    assert.match(text, /\/v1\/auth\/login/);
  }
});

/** As much of a browser as the page's script needs to send the form, with the real way to the plane. */
const submitPage = async (url: string, script: string, values: Readonly<Record<string, string>>): Promise<Response | undefined> => {
  const page: { submit?: (event: object) => Promise<void>; answered?: Response } = {};
  const element = (): object => ({
    ...{ dataset: {}, remove: () => {}, focus: () => {}, querySelector: () => null, querySelectorAll: () => [] },
    addEventListener: (_: string, listener: (event: object) => Promise<void>) => {
      page.submit = listener;
    },
  });
  const context = createContext({
    document: { querySelector: element },
    location: new URL(url),
    FormData: function formData() {
      return new Map(Object.entries(values));
    },
    fetch: async (path: string, init?: RequestInit) => {
      const response = await fetch(new URL(path, url), init);
      if (path.endsWith('/signup')) page.answered = response.clone();
      return response;
    },
    URLSearchParams,
  });
  runInContext(script, context);
  await page.submit?.({ preventDefault: () => {} });
  return page.answered;
};

test('the page founds the first organization where sign-up is closed, which its address alone allows', async () => {
  const closed = await startPlanes({ gateways: 0, env: { SVC_SIGNUP: 'closed' } });
  const script = (await call(closed.controlUrl, 'GET', '/setup/app.js')).text;
  const values = { organizationName: 'Acme', name: 'Ada', email: 'ada@example.com', password: 'correct horse battery staple' };
  const link = closed.setupUrl ?? '';
  const answers = [await submitPage(`${closed.controlUrl}/setup?token=x`, script, values), await submitPage(link, script, values)];
  assert.deepEqual(
    answers.map((answer) => answer?.status),
    [403, 201],
  );
  await closed.stop();
});

test('the link and every other one die with the first sign-up, and no later start makes a new one', async () => {
  const database = await freshDatabase();
  const first = await startPlanes({ gateways: 0, database });
  const second = await startPlanes({ gateways: 0, database });
  const open = async (plane: StartedPlanes) =>
    (await fetch(`${first.controlUrl}${new URL(plane.setupUrl ?? '').pathname}${new URL(plane.setupUrl ?? '').search}`)).status;
  assert.deepEqual([await open(first), await open(second)], [200, 200]);
  await signUp(first.controlUrl);
  assert.deepEqual([await open(first), await open(second)], [410, 410]);
  const third = await startPlanes({ gateways: 0, database });
  assert.equal(third.setupUrl, null);
  const client = await database.client();
  const { rows } = await client.query('select encode(token_hash, $1) as kept, used_at is not null as used from setup_links', ['escape']);
  assert.deepEqual(
    rows.map(({ used }) => used),
    [true, true],
  );
  for (const { kept } of rows) assert.ok(!kept.includes('svc_setup_'));
  await client.end();
  await Promise.all([first, second, third].map((plane) => plane.stop()));
  await database.drop();
});
