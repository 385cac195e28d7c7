import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTimeZone } from './time-zone.ts';

test('every zone that this runtime knows is read as it is written', () => {
  for (const name of [...Intl.supportedValuesOf('timeZone'), 'UTC']) assert.equal(readTimeZone(name), name);
});

test('the case of letters does not matter, and older and newer names of a zone are kept', () => {
  assert.equal(readTimeZone('europe/BERLIN'), 'Europe/Berlin');
  for (const name of ['Asia/Kolkata', 'Asia/Calcutta', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5', 'Australia/Lord_Howe'])
    assert.equal(readTimeZone(name), name);
});

test('what is no name of a zone is not read, offsets and abbreviations that no database knows among them', () => {
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
