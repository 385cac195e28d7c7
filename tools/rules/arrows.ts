import { posix } from 'node:path';
import { LAYERS, TEST_ROOMS } from '../layers.ts';
import type { Import, SourceFile } from '../source.ts';
import type { ProjectRule, RuleFinding, Tree } from '../tree.ts';

type Manifest = { readonly dependencies: ReadonlySet<string>; readonly development: ReadonlySet<string> };

const scope = '@svc/';

const manifestPath = ({ folder }: SourceFile): string => (folder.includes('/') ? `${folder}/package.json` : 'package.json');

const readManifest = (tree: Tree, path: string): Manifest => {
  const { dependencies = {}, devDependencies = {}, optionalDependencies = {} } = tree.has(path) ? JSON.parse(tree.text(path)) : {};
  return {
    dependencies: new Set([...Object.keys(dependencies), ...Object.keys(optionalDependencies)]),
    development: new Set(Object.keys(devDependencies)),
  };
};

const getPackage = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

const allowedRooms = (source: SourceFile): readonly string[] => [...(LAYERS[source.room] ?? []), ...(source.isTest ? TEST_ROOMS : [])];

const wrongRelative = (source: SourceFile, specifier: string): string | undefined => {
  const target = posix.join(posix.dirname(source.path), specifier);
  const isTestOfSdk = source.isTest && target.startsWith('sdks/');
  return isTestOfSdk || target.startsWith(`${source.folder}/`) ? undefined : `${specifier} leaves the room; name the other package instead`;
};

/**
 * Types and build scripts of the client need nothing at run time: the build writes the types out. The command line is published as a bundle,
 * which holds everything that it imports.
 */
const isErasedOnPublication = ({ room, path }: SourceFile, typeOnly: boolean): boolean =>
  room === 'cli' || (room === 'client' && (typeOnly || path.startsWith('packages/client/build/')));

const wrongPackage = (source: SourceFile, { specifier, typeOnly }: Import, own: Manifest, root: Manifest): string | undefined => {
  const name = getPackage(specifier);
  const room = name.startsWith(scope) ? name.slice(scope.length) : undefined;
  if (room !== undefined && !allowedRooms(source).includes(room)) return `${source.room} may not import ${room}`;
  if (room !== undefined && own === root) return undefined;
  const outsideProduct = source.isTest || own === root || isErasedOnPublication(source, typeOnly);
  const declared = own.dependencies.has(name) || (outsideProduct && (own.development.has(name) || root.development.has(name)));
  return declared ? undefined : `${name} is not among the ${source.isTest ? 'devDependencies' : 'dependencies'} of ${manifestPath(source)}`;
};

const wrongArrow = (source: SourceFile, each: Import, own: Manifest, root: Manifest): string | undefined => {
  const { specifier } = each;
  if (specifier.startsWith('node:')) return undefined;
  return specifier.startsWith('.') ? wrongRelative(source, specifier) : wrongPackage(source, each, own, root);
};

const wrongDeclarations = (tree: Tree): RuleFinding[] =>
  tree.paths
    .filter((path) => /^(packages|apps)\/[^/]+\/package\.json$/.test(path))
    .flatMap((path) => {
      const room = path.split('/')[1] ?? '';
      const layers = LAYERS[room];
      if (layers === undefined) return [{ path, says: `${room} is not a room of tools/layers.ts` }];
      const rooms = [...readManifest(tree, path).dependencies]
        .filter((name) => name.startsWith(scope))
        .map((name) => name.slice(scope.length));
      return rooms.filter((each) => !layers.includes(each)).map((each) => ({ path, says: `${room} may not depend on ${each}` }));
    });

/** Every import follows the layers and the dependencies that its own package declares. */
export const getArrows: ProjectRule = (tree) => {
  const root = readManifest(tree, 'package.json');
  const manifests = new Map<string, Manifest>([['package.json', root]]);
  const getManifest = (source: SourceFile): Manifest => {
    const path = manifestPath(source);
    const known = manifests.get(path) ?? readManifest(tree, path);
    manifests.set(path, known);
    return known;
  };
  const wrongImports = tree.sources.flatMap((source) =>
    source.imports.flatMap((each) => {
      const says = wrongArrow(source, each, getManifest(source), root);
      return says === undefined ? [] : [{ path: source.path, line: each.line, says }];
    }),
  );
  return [...wrongDeclarations(tree), ...wrongImports];
};
