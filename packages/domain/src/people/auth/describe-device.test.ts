import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeDevice } from './describe-device.ts';

const cases: readonly (readonly [userAgent: string | null, device: string])[] = [
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36', 'Chrome on Windows'],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
    'Safari on macOS',
  ],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1', 'Safari on iOS'],
  ['Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Mobile Safari/537.36', 'Chrome on Android'],
  ['curl/8.14.1', 'curl'],
  ['node', 'Node.js'],
  ['<script>alert(1)</script>', 'Unknown device'],
  ['', 'Unknown device'],
  [null, 'Unknown device'],
];

for (const [userAgent, device] of cases)
  test(`describes ${userAgent || 'no user agent'} as ${device}`, () => assert.equal(describeDevice(userAgent), device));
