import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The first has no windows at all, and takes less than half of the processor. */
const PLACES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const find = (): string | undefined => PLACES.find((place) => existsSync(place));

/** Debian's packages, the better one first. */
const PACKAGES = ['chromium-headless-shell', 'chromium'];

/** Where this process may install; takes about half a minute, once. */
const install = (): void => {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  // Whether it came to anything is seen by whether a browser is there.
  const apt = (...asked: string[]) => spawnSync('apt-get', asked, { stdio: 'ignore', timeout: 300_000 });
  apt('update', '-qq');
  for (const name of PACKAGES) if (find() === undefined) apt('install', '-y', '-qq', '--no-install-recommends', name);
};

/** The browser that is there or can be had, without a window; a sentence where there is none. */
export const openChromium = async (): Promise<Browser | string> => {
  if (find() === undefined) install();
  const executablePath = find();
  if (executablePath === undefined) return 'no Chromium is here, and none may be installed: apt-get install chromium-headless-shell';
  // A sandbox of its own needs rights that root in a container lacks.
  return chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
};
