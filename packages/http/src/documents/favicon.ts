import type { StaticPage } from '../wires/page.ts';

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1864ab"/><path d="M8 17l5 5 11-12" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

/** The same drawing at 32 x 32 pixels, for programs that request /favicon.ico without reading a page. */
const ICO = [
  'AAABAAEAICAAAAEAIAAQAwAAFgAAAIlQTkcNChoKAAAADUlIRFIAAAAgAAAAIAgGAAAAc3p69AAAAsVJREFUeJzEl2tIk1EYx//n3RQNywt4RTAMCgQvqJRE',
  'ZCAkRQZCsz7IJjLp8iFK60NRFH0pSS2I6KLkkAxklQgL/VQtQSai+cUuiOuChnMxZokbW9vpnMnGVru6y/v78PJyznP4/89znvPAkcKLjJbhjBSJ/TwFqQFB',
  'BQFyEAMosMI+swRUZ3Uk3TGrGs3uOeL+yW5VHxII7SOEFCCOUEp/OClRGp/IRj0Gctqe1wuUjiGBOJw4zE2Q9NOazBS7ZY45yUcC4ZmwAKVSJq5ItDiHH3Uq',
  'IBeYlxqIBq1hdUdEM8C1pawMiyAWTFtAnKgqzoL2Rj3GrtRh767sgHFxMVBSmA51Ry125m9FeVEmuuRVrOj8x0oRY4pz01ziqckSz5gQSD3WBnLTUzDUvh9Z',
  'acmeMYeT4lz/FLv3iK+BbalJeHHxAAqztnjGmDZOPtJBN/8z4LqYGODp5jvfwdLvTbtqCq9mloKujdqARCB4enYfKrZn+ozfHpnD0MS3kOsDGqgrzcPVY2Wu',
  's7s3+gkvJ7/7jXvQtue/a9b/ZgE9mo8IB78G+K66FdWuouLcV+52pXlw/ItP3K3mSjRUF/qMaaaXcPnZe4RLwAz8W7X8LnPcJjoaSqCoLfaJmfhsxKnHOkSC',
  'JK2y6bo/ccOqBUeqfHd3sLwAxl9WlLHmcq2pzGduRm/CibvjsP1xIhJInlJNA03K2Q47WZpDMb/8G0dvvoZ53Y5ICdqKB7R6XBoMfp6LpnXIurSbEg9pgKN6',
  'u4ALA9N+50xrNhzveceOy4rNElYfcBeeuxA5FpsDsm4t9IY1REPYjYibcLLq7GzeMHGmdxIfFlcRLUGLMBEIFNQAkeDarOdhFiLBtQX2ShHNANcWBIf0Iast',
  'MxIM1+TawrKq8SsVaCsSDUEL13Y1opXepmH+VuPPJcQZrsG1DH2ykQ0fXojxPP8LAAD//3YQFagAAAAGSURBVAMATc8KgSW/Yc8AAAAASUVORK5CYII=',
];

/** The icons of both planes by their paths. */
export const FAVICONS = {
  '/favicon.svg': { type: 'image/svg+xml', bytes: Buffer.from(SVG) },
  '/favicon.ico': { type: 'image/x-icon', bytes: Buffer.from(ICO.join(''), 'base64') },
} as const satisfies Readonly<Record<string, StaticPage>>;
