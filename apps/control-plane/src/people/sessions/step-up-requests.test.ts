import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { signUp, stepUp } from '@svc/testing/people/tenant.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const at = createScene();
const url = (): string => at.planes.controlUrl;

type Person = Awaited<ReturnType<typeof signUp>>;

/** A person with a session of a browser and one of a terminal. */
const newPerson = async () => {
  const person = await signUp(url());
  const body = { email: person.email, password: person.password };
  return { person, terminal: (await mustCall(url(), 'POST', '/v1/auth/login', { body })).token as string };
};

const request = async (token: string) => {
  const { user_code, verification_uri } = await mustCall(url(), 'POST', '/v1/auth/step-up/requests', { token });
  const path = `/v1/auth/sessions/${new URL(verification_uri).searchParams.get('session_id')}/step-up-request`;
  return { path, user_code: user_code as string };
};

const approve = (path: string, { token }: Pick<Person, 'token'>, user_code: string) =>
  call(url(), 'POST', `${path}/approve`, { token, body: { user_code } });
const readCode = async (answer: ReturnType<typeof call>) => (await answer).json.error?.code;
const readExpiry = async (token: string) => (await mustCall(url(), 'GET', '/v1/auth/session', { token })).step_up_expires_at;

test('approveStepUpRequest steps up the session of requestStepUp once, never longer than the step-up that approves it', async () => {
  const { person, terminal } = await newPerson();
  const { path, user_code } = await request(terminal);
  assert.equal((await mustCall(url(), 'GET', path, { token: person.token })).user_code, user_code);
  assert.equal(await readExpiry(terminal), null);
  await stepUp(url(), person);
  assert.equal((await approve(path, person, user_code)).status, 200);
  assert.equal(await readExpiry(terminal), await readExpiry(person.token));
  assert.equal(await readCode(approve(path, person, user_code)), 'NOT_FOUND');
});

test('approveStepUpRequest requires a step-up that is newer than the request, and the code of the newest request', async () => {
  const { person, terminal } = await newPerson();
  await stepUp(url(), person);
  const first = await request(terminal);
  assert.equal(await readCode(approve(first.path, person, first.user_code)), 'STEP_UP_REQUIRED');
  const second = await request(terminal);
  await stepUp(url(), person);
  assert.equal(await readCode(approve(first.path, person, first.user_code)), 'VALIDATION_FAILED');
  assert.equal((await approve(second.path, person, second.user_code)).status, 200);
});

test('of many approvals at once one succeeds', async () => {
  const { person, terminal } = await newPerson();
  const { path, user_code } = await request(terminal);
  await stepUp(url(), person);
  const answers = await Promise.all(Array.from({ length: 6 }, () => approve(path, person, user_code)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
});

test('getStepUpRequest and approveStepUpRequest know no request of another person, of an ended session, or from more than five minutes ago', async () => {
  const { person, terminal } = await newPerson();
  const { path, user_code } = await request(terminal);
  const other = await signUp(url());
  await stepUp(url(), other);
  assert.equal(await readCode(approve(path, other, user_code)), 'NOT_FOUND');
  assert.equal(await readCode(call(url(), 'GET', path, { token: other.token })), 'NOT_FOUND');
  await at.owner.query("update sessions set step_up_requested_at = step_up_requested_at - interval '6 minutes' where user_id = $1", [
    person.user.id,
  ]);
  assert.equal(await readCode(call(url(), 'GET', path, { token: person.token })), 'NOT_FOUND');
  const again = await request(terminal);
  await mustCall(url(), 'POST', '/v1/auth/logout', { token: terminal, body: {} });
  await stepUp(url(), person);
  assert.equal(await readCode(approve(again.path, person, again.user_code)), 'NOT_FOUND');
});
