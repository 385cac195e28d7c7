const form = document.querySelector('#form');
const problem = document.querySelector('#problem');
const submit = document.querySelector('#submit');

/** Shows a text at a place, or hides the place when there is none. */
const say = (place, text) => {
  place.textContent = text ?? '';
  place.hidden = !text;
};

const showFaults = (error) => {
  const faults = new Map((error.details?.faults ?? []).map(({ pointer, message }) => [pointer, message]));
  for (const input of form.querySelectorAll('input')) {
    const isFaulty = faults.has(`/${input.name}`);
    // What a text has to look like the page knows; why one that looks so is refused, the service says.
    const remedy = input.value.length < input.minLength || input.name !== 'password' ? input.dataset.remedy : faults.get('/password');
    say(document.querySelector(`#${input.name}-fault`), isFaulty ? remedy : '');
    if (isFaulty) input.setAttribute('aria-invalid', 'true');
    else input.removeAttribute('aria-invalid');
  }
  const faulty = form.querySelector('[aria-invalid]');
  say(problem, faulty ? 'Something needs a change.' : error.message);
  (faulty ?? problem).focus();
};

/** One argument for a POSIX shell, whatever is in it. */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

const post = (path, body) => `curl -X POST "$CONTROL${path}" \\
  -H "authorization: Bearer $SESSION" -H 'content-type: application/json' \\
  -d ${quoted(JSON.stringify(body))}`;

/** Undefined where it is not told: the rest of the page does without. */
const findGateway = (token) =>
  fetch('/v1/meta/info', { headers: { authorization: `Bearer ${token}` } })
    .then((response) => response.json())
    .then(({ gateway_url }) => gateway_url)
    .catch(() => undefined);

const showNext = ({ token, expires_at, organization }, gatewayUrl) => {
  const write = (id, text) => {
    document.querySelector(`#${id}`).textContent = text;
  };
  write('organization', organization.name);
  write('expires', new Date(expires_at).toLocaleString());
  const addresses = `export CONTROL=${quoted(location.origin)}${gatewayUrl ? ` GATEWAY=${quoted(gatewayUrl)}` : ''}`;
  write('session', `${addresses}\nSESSION=${quoted(token)}`);
  const workspace = post('/v1/workspaces', { name: 'First workspace' });
  const environment = post('/v1/environments', { workspace_id: 'wsp_...', name: 'Development', type: 'DEVELOPMENT' });
  write('tenancy', `${workspace}\n\n${environment}`);
  const roles = 'curl "$CONTROL/v1/roles" -H "authorization: Bearer $SESSION"';
  write('key', `${roles}\n\n${post('/v1/api-keys', { name: 'First key', role_id: 'rol_...', expires_in_days: 90 })}`);
  form.remove();
  document.querySelector('#next').hidden = false;
  document.querySelector('#next-title').focus();
};

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  submit.disabled = true;
  say(problem, '');
  const setup_token = new URLSearchParams(location.search).get('token');
  const body = JSON.stringify({ ...Object.fromEntries(new FormData(form)), setup_token });
  const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
  const answer = await fetch('/v1/auth/signup', request).then(
    async (response) => ({ ok: response.ok, body: await response.json() }),
    () => ({ ok: false, body: { error: { message: 'The service did not answer. Is it still running?' } } }),
  );
  submit.disabled = false;
  if (answer.ok) showNext(answer.body, await findGateway(answer.body.token));
  else showFaults(answer.body.error);
});
