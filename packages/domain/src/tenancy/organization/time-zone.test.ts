import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTimeZone } from './time-zone.ts';

test('reads every zone of this runtime unchanged', () => {
  for (const name of [...Intl.supportedValuesOf('timeZone'), 'UTC']) assert.equal(readTimeZone(name), name);
});

test('ignores case, and keeps older and newer names of a zone', () => {
  assert.equal(readTimeZone('europe/BERLIN'), 'Europe/Berlin');
  for (const name of ['Asia/Kolkata', 'Asia/Calcutta', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5', 'Australia/Lord_Howe'])
    assert.equal(readTimeZone(name), name);
});

test('rejects a text that is not a zone name, offsets and unknown abbreviations included', () => {
  for (const name of [
    '',
    ' ',
    '+02:00',
    '-0530',
    'Z+1',
    'Mars/Olympus',
    'Europe/Berlin ',
    'Europe//Berlin',
    '/UTC',
    'CESTX',
    '../etc',
    'Europe/Berlin\n',
  ])
    assert.equal(readTimeZone(name), undefined, JSON.stringify(name));
});
