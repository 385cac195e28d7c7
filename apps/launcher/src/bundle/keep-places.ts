import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'rolldown';

/** Matches a file that its neighbour starts as a thread or a process. */
const STARTED_BY_PLACE = /new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g;

/**
 * Keeps `import.meta.url` of a bundled module at its source, so that it finds files next to it; files that it starts as threads or
 * processes are bundled too, and started from the bundle.
 */
export const keepPlaces = (): Plugin => ({
  name: 'keep-places',
  transform: {
    filter: { id: /\.ts$/, code: 'import.meta' },
    handler(code, id) {
      const folder = path.dirname(id);
      const started = code.replaceAll(STARTED_BY_PLACE, (_, name: string) => {
        this.emitFile({ type: 'chunk', id: path.join(folder, `${name}.ts`), fileName: `${name}.mjs` });
        return `new URL('./${name}.mjs', import.meta['url'])`;
      });
      return {
        code: started
          .replaceAll('import.meta.dirname', JSON.stringify(folder))
          .replaceAll('import.meta.filename', JSON.stringify(id))
          .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
        map: null,
      };
    },
  },
});
