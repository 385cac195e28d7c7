/**
 * Selects test files to run. A part that is an area means the area's folder in any package; any other part of a path means every file whose
 * path contains it. Without parts all are selected.
 */
export const selectTests = (files: readonly string[], parts: readonly string[], areas: readonly string[]): string[] => {
  const wanted = parts.map((part) => (areas.includes(part) ? `/src/${part}/` : part));
  return files.filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)));
};
