/**
 * Whether a run passed of which some files failed. Those that measure time or load are run once more alone, one after the other, where they
 * were the only ones to fail; each has to pass then.
 */
export const passesAlone = async (
  failed: readonly string[],
  measuring: Readonly<Record<string, string>>,
  runAlone: (file: string) => Promise<boolean>,
): Promise<boolean> => {
  if (!failed.every((file) => Object.hasOwn(measuring, file))) return false;
  const told: string[] = [];
  let passed = true;
  for (const file of failed) {
    console.log(`\n${file} measures time or load and failed beside others: it is run once more alone.`);
    const isFine = await runAlone(file);
    passed &&= isFine;
    told.push(`${file}: failed beside others, ${isFine ? 'passed alone' : 'failed alone'}; it measures ${measuring[file]}`);
  }
  if (told.length > 0) console.log(told.join('\n'));
  return passed;
};
