import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import { AREAS } from '@svc/contract/tables/areas.ts';
import { endOnOtherWords } from '@svc/testing/processes/end-on-other-words.ts';
import { readTree } from '../tree.ts';
import { formatMap, MAP_FILE } from './map-text.ts';
import { formatPicture, PICTURE_FILE } from './picture-text.ts';

endOnOtherWords(
  `Writes the map of the code, docs/map.md, and the picture of the README:

    npm run generate -- map`,
);
const root = resolve(import.meta.dirname, '../..');
const tree = readTree(root);
writeFileSync(join(root, MAP_FILE), formatMap(tree, ENDPOINTS, AREAS));
writeFileSync(join(root, PICTURE_FILE), formatPicture(tree.text('README.md')));
