// Brings node_modules in line with package-lock.json, and does nothing if it is. Needs only Node >= 18, since it runs before anything is
// installed. npm's own `npm ci` would answer the same question only by installing everything again.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const at = (...parts) => path.join(root, ...parts);
const lockFile = at('.cache', 'install.lock');
/** Packages that an install omitted on purpose or could not install, so that it is not retried at every start. */
const rememberedFile = at('node_modules', '.install-if-needed.json');
const nodeMajorMin = 24;
const waitForOtherMs = 10 * 60_000;

const readText = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);
const readJson = (file) => JSON.parse(readText(file) ?? 'null');

let holdsLock = false;
process.on('exit', () => {
  if (holdsLock) rmSync(lockFile, { force: true });
});

/** Prints one sentence for the person, and does not start. */
const giveUp = (sentence) => {
  console.error(sentence);
  process.exit(1);
};

// What is missing

/** A production install has no development packages, and running the service needs none, least of all the emergency stop. */
const running = ['start', 'bundle', 'pages', 'worker', 'demo', 'ops', 'svc'];
const needsDevelopment = !running.includes(process.env.npm_lifecycle_event ?? '');

const allows = (list, value) => {
  const names = [list ?? []].flat();
  if (names.includes(`!${value}`)) return false;
  const wanted = names.filter((name) => !name.startsWith('!'));
  return wanted.length === 0 || wanted.includes(value) || wanted.includes('any');
};

const glibcLoaders = ['/lib64/ld-linux-x86-64.so.2', '/lib/ld-linux-aarch64.so.1', '/lib/ld-linux-armhf.so.3', '/lib64/ld64.so.2'];
const isForThisMachine = ({ os, cpu, libc }) =>
  allows(os, process.platform) &&
  allows(cpu, process.arch) &&
  (libc === undefined || (process.platform === 'linux' && allows(libc, glibcLoaders.some(existsSync) ? 'glibc' : 'musl')));

/** Optional packages without a platform of their own belong to those of another platform; npm omits them with those. */
const isWanted = (entry) => {
  if (entry.dev && !needsDevelopment) return false;
  if (!entry.optional && !entry.devOptional) return true;
  return (entry.os ?? entry.cpu ?? entry.libc) !== undefined && isForThisMachine(entry);
};

const isInstalled = (name, entry, installed) => {
  if (!existsSync(at(name, 'package.json'))) return false;
  const found = installed[name];
  return found !== undefined && (entry.link ? found.link === true : found.version === entry.version && found.integrity === entry.integrity);
};

const findMissing = (lock) => {
  const installed = readJson(at('node_modules', '.package-lock.json'))?.packages ?? {};
  return Object.entries(lock.packages)
    .filter(([name, entry]) => name.includes('node_modules/') && isWanted(entry) && !isInstalled(name, entry, installed))
    .map(([name, entry]) => ({
      name: name.slice(name.lastIndexOf('node_modules/') + 'node_modules/'.length),
      isOptional: entry.optional || entry.devOptional,
    }));
};

const sections = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
const sameRequests = (manifest, locked) =>
  sections.every((section) => {
    const [asked, known] = [manifest[section] ?? {}, locked?.[section] ?? {}];
    const names = Object.keys(asked);
    return names.length === Object.keys(known).length && names.every((name) => asked[name] === known[name]);
  });

/** Returns the folders behind patterns such as "packages/*". */
const workspaceFolders = (patterns) =>
  patterns.flatMap((pattern) => {
    if (!pattern.endsWith('/*')) return [pattern];
    const parent = pattern.slice(0, -2);
    return existsSync(at(parent)) ? readdirSync(at(parent)).map((name) => `${parent}/${name}`) : [];
  });

/** True if the lock file matches the current manifests; otherwise `npm ci` would refuse. */
const lockFits = (lock) => {
  const manifest = readJson(at('package.json'));
  const folders = workspaceFolders(manifest.workspaces ?? []).filter((folder) => existsSync(at(folder, 'package.json')));
  return (
    sameRequests(manifest, lock.packages['']) &&
    folders.every((folder) => sameRequests(readJson(at(folder, 'package.json')), lock.packages[folder]))
  );
};

/** Returns what to run to fix the install, or undefined. */
const look = () => {
  const text = readText(at('package-lock.json'));
  if (text === undefined) return existsSync(at('node_modules', '.package-lock.json')) ? undefined : { command: 'install', missing: [] };
  const lock = JSON.parse(text);
  if (!lockFits(lock)) return { command: 'install', missing: [] };
  const digest = createHash('sha256').update(text).digest('hex');
  const remembered = readJson(rememberedFile);
  const accepted = new Set(remembered?.lock === digest ? remembered.missing : []);
  const missing = findMissing(lock).filter(({ name, isOptional }) => !(isOptional && accepted.has(name)));
  return missing.length === 0 ? undefined : { command: 'ci', missing, digest };
};

// One install at a time

const identify = (pid) => {
  if (process.platform !== 'linux') {
    try {
      return process.kill(pid, 0) && '';
    } catch (error) {
      return error.code === 'EPERM' ? '' : undefined;
    }
  }
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'latin1') : '';
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' ? undefined : fields[19];
};
const selfIn = (pids) => JSON.stringify(pids.map((pid) => ({ pid, started: identify(pid) })));

/** Returns the live process ids that hold the lock; a lock file that is being written counts as held. */
const holdersOf = (text) => {
  if (text === '') return Date.now() - (statSync(lockFile, { throwIfNoEntry: false })?.mtimeMs ?? 0) < 5_000 ? [0] : [];
  return JSON.parse(text)
    .filter(({ pid, started }) => identify(pid) !== undefined && identify(pid) === started)
    .map(({ pid }) => pid);
};

/** Renamed before it is removed: of two processes that find the same dead lock, neither removes the other's new one. */
const removeDeadLock = (text) => {
  const aside = `${lockFile}.${process.pid}`;
  try {
    renameSync(lockFile, aside);
    if (readText(aside) !== text && !existsSync(lockFile)) renameSync(aside, lockFile);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  rmSync(aside, { force: true });
};

const takeLock = async () => {
  mkdirSync(path.dirname(lockFile), { recursive: true });
  let hasTold = false;
  for (const until = Date.now() + waitForOtherMs; Date.now() < until; await sleep(100)) {
    try {
      writeFileSync(lockFile, selfIn([process.pid]), { flag: 'wx' });
      holdsLock = true;
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const text = readText(lockFile);
    if (text === undefined) continue;
    const holders = holdersOf(text);
    if (holders.length === 0) removeDeadLock(text);
    else if (!hasTold) console.error(`Waiting for the install that process ${holders[0]} is doing.`);
    hasTold ||= holders.length > 0;
  }
  giveUp(`Another install has been running for ten minutes: end it, or delete ${lockFile}, and try again.`);
};

/** Another user's clone may be readable, but only its owner can install into it. */
const refuseWhereClosed = () => {
  for (const folder of [root, at('.cache'), at('node_modules')].filter(existsSync)) {
    try {
      accessSync(folder, constants.W_OK);
    } catch (error) {
      if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error;
      giveUp(
        `Packages are missing, and you may not write ${folder}, into which they are installed: clone the project as yourself, or have its owner run "npm ci" there.`,
      );
    }
  }
};

// The install

/** npm is run by the Node that came with it: the one in node_modules is itself about to be replaced. */
const npmCommand = () => {
  const script = (process.env.npm_execpath ?? '').replace(/npx-cli\.js$/, 'npm-cli.js');
  if (!script.endsWith('npm-cli.js') || !existsSync(script)) return { program: 'npm', before: [] };
  const own = process.env.npm_node_execpath;
  return { program: own !== undefined && existsSync(own) ? own : process.execPath, before: [script] };
};

const runNpm = (command) =>
  new Promise((resolve) => {
    const { program, before } = npmCommand();
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
    // A start limited to one workspace must not limit the install to it.
    const { npm_config_workspace: _one, npm_config_workspaces: _all, ...env } = process.env;
    const child = spawn(program, [...before, command, ...quiet, ...(needsDevelopment ? ['--include=dev'] : [])], {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => said.push(chunk));
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
    child.once('error', (error) => resolve({ ok: false, said: error.message }));
    child.once('close', (code, signal) =>
      resolve({ ok: code === 0, said: signal === null ? Buffer.concat(said).toString('utf8') : `ended by ${signal}` }),
    );
    // Both are named: if this process is killed, npm continues by itself.
    if (child.pid !== undefined) writeFileSync(lockFile, selfIn([process.pid, child.pid]));
  });

const reasonIn = (said) => {
  const lines = said.split('\n').map((line) => line.replace(/^npm (error|ERR!) ?(network )?/, '').trim());
  const told = lines.filter((line) => line !== '' && !/^(code|errno|syscall|path|A complete log|For a full report)\b/.test(line));
  return told[0] ?? 'it gave no reason';
};

const install = async ({ command, missing }) => {
  const what = missing.length === 0 ? 'the packages' : missing.length === 1 ? missing[0].name : `${missing.length} packages`;
  console.error(`Installing ${what} with npm ${command} (only when something is missing) ...`);
  const { ok, said } = await runNpm(command);
  if (!ok) {
    giveUp(
      `The packages could not be installed (${reasonIn(said)}): put that right, see that this machine reaches its npm registry, and try again.`,
    );
  }
  const left = look();
  const required = left?.missing.filter(({ isOptional }) => !isOptional) ?? [];
  if (required.length > 0)
    giveUp(`npm ${command} left out ${required.map(({ name }) => name).join(', ')}: run "npm ci --include=dev" and try again.`);
  if (left?.digest) writeFileSync(rememberedFile, JSON.stringify({ lock: left.digest, missing: left.missing.map(({ name }) => name) }));
};

// The Node that runs what comes next

const isNewEnough = (version) => Number(version.split('.')[0]) >= nodeMajorMin;

/**
 * If this Node is too old, the one that the same PATH gives the next command may not be: the link is new, or closed, or npm cannot name its
 * folder.
 */
const refuseWhereHidden = (link) => {
  if (process.env.npm_lifecycle_event === undefined) return;
  const next = spawnSync('node', ['-p', 'process.versions.node'], { encoding: 'utf8' }).stdout?.trim() || 'none';
  if (isNewEnough(next)) return;
  giveUp(
    `This needs Node ${nodeMajorMin} or newer, which ${link} is, but this machine finds ${next} instead: move the project to a folder without a colon in its name, on a disk that allows programs (without noexec), or install Node ${nodeMajorMin}.`,
  );
};

/** npm puts node_modules/.bin first on the PATH; an install without links there would leave the machine's own Node in front. */
const provideNode = () => {
  const name = `node-${process.platform}-${process.arch}`;
  const link = at('node_modules', '.bin', 'node');
  if (existsSync(at('node_modules', name, 'bin', 'node')) && !existsSync(link)) {
    mkdirSync(path.dirname(link), { recursive: true });
    rmSync(link, { force: true });
    symlinkSync(path.join('..', name, 'bin', 'node'), link);
  }
  if (isNewEnough(process.versions.node)) return;
  if (existsSync(link)) return refuseWhereHidden(link);
  giveUp(
    `This needs Node ${nodeMajorMin} or newer, which the optional package ${name} would bring but which is not installed, and this is Node ${process.versions.node}: allow optional packages ("npm ci --include=optional"), or install Node ${nodeMajorMin}.`,
  );
};

const isInstallUnderWay = () => {
  const text = readText(lockFile);
  return text !== undefined && holdersOf(text).length > 0;
};

if (isInstallUnderWay() || look() !== undefined) {
  refuseWhereClosed();
  await takeLock();
  const wanted = look();
  if (wanted !== undefined) await install(wanted);
}
provideNode();
