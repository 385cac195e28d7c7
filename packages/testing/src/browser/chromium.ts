import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The first one has no windows at all, and takes less than half of the processor time. */
const PLACES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const find = (): string | undefined => PLACES.find((place) => existsSync(place));

/** Debian's packages, the preferred one first. */
const PACKAGES = ['chromium-headless-shell', 'chromium'];

/** Installs a browser if this process may; takes about half a minute, once. */
const install = (): void => {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  // Success is visible from the presence of a browser.
  const apt = (...aptArgs: string[]) => spawnSync('apt-get', aptArgs, { stdio: 'ignore', timeout: 300_000 });
  apt('update', '-qq');
  for (const name of PACKAGES) if (find() === undefined) apt('install', '-y', '-qq', '--no-install-recommends', name);
};

/** Opens an installed or installable headless browser; returns a sentence if there is none. */
export const openChromium = async (): Promise<Browser | string> => {
  if (find() === undefined) install();
  const executablePath = find();
  if (executablePath === undefined) return 'no Chromium is here, and none may be installed: apt-get install chromium-headless-shell';
  // Its sandbox needs permissions that root in a container lacks.
  return chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
};
