import { optionalLine, setting } from './setting-values.ts'

/** The node for logs of others, if this server is one. */
export const nodeSettings = {
  nodeLogs: setting({
    name: 'MILLSEAL_NODE_LOGS',
    about:
      'File that lists logs of other organisations, in the format logs/v0, each with a line "#url": this server is a node for them, at /node.',
    fallback: '',
    read: optionalLine,
  }),
  nodeName: setting({
    name: 'MILLSEAL_NODE_NAME',
    about: 'Name of that node in its keys, such as mill.example/node; never change it.',
    fallback: '',
    read: (value): string | undefined => {
      if (!/^[^\p{Z}\p{Cc}+]*$/u.test(value))
        throw new Error('a name without spaces and +, for example mill.example/node')
      return optionalLine(value)
    },
  }),
  nodeFolder: setting({
    name: 'MILLSEAL_NODE_FOLDER',
    about:
      'Folder for its keys and copies, which no backup but that of the keys may restore; by default <data folder>.node.',
    fallback: '',
    read: optionalLine,
  }),
}
