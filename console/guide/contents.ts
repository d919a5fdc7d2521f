/** The pages of the documentation in the order of their navigation. A page that is missing here fails the build. */
export const contents: Readonly<Record<string, readonly string[]>> = {
  'First steps': ['quick-start', 'first-certificate', 'receive-and-verify', 'glossary'],
  'Work with certificates': [
    'console',
    'certificates',
    'layouts',
    'customers',
    'keys',
    'mail',
    'names',
    'passwords',
  ],
  Automate: [
    'cli',
    'sdk',
    'events',
    'webhooks',
    'mqtt',
    'errors',
    'authorization',
    'services',
    'earlier-api',
  ],
  Trust: [
  Operate: ['operating', 'deploy', 'monitoring', 'scale'],
  Quality: ['coverage', 'asvs', 'reliability-scorecard', 'benchmarks'],
}
