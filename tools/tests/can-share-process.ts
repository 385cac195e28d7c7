/** State of the whole process that a test changes or reads, which would affect the files that share it. */
const OF_THE_PROCESS = [
  /\bprocess\.(argv|chdir|cpuUsage|threadCpuUsage|env|exit|exitCode|kill|memoryUsage|off|on|once|stderr|stdout|title)\b/,
  /\bmock\./,
  /\bglobalThis\b/,
  // Except for expressions: pattern.exec(text) reads its text.
  /(?<!\.)\b(exec|execFile|execFileSync|execSync|fork|spawn|spawnSync)\(/,
  /\bnew (PerformanceObserver|Worker)\(/,
  /\b(monitorEventLoopDelay|setFlagsFromString|setDefaultResultOrder)\b/,
  // Every file of a process is loaded before its first test runs.
  /^(await|(export )?(const|let) .*= await)\b/m,
];

/** True if a test file, by its text, depends on no process state that another file could change. */
export const canShareProcess = (text: string): boolean => !OF_THE_PROCESS.some((pattern) => pattern.test(text));
