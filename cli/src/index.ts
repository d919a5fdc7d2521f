import type { Environment } from './frame/command.ts'
import { type Commands, dispatch, plain } from './frame/dispatch.ts'

const commands: Commands = {
  serve: {
    about: 'start the whole product on this machine',
    load: async () => plain((await import('@millseal/server')).serve),
  },
  demo: {
    about: 'walk the whole way on a running server, from registering to verifying',
    load: async () => (await import('./commands/demo.ts')).demo,
  },
  verify: {
    about: 'check a certificate, its JSON or its PDF, with or without a network',
    load: async () => (await import('./commands/verify.ts')).verify,
  },
  token: {
    about: 'an access token for an application',
    load: async () => (await import('./commands/token.ts')).token,
  },
  notarize: {
    about: 'hand in a certificate',
    load: async () => (await import('./commands/notarize.ts')).notarize,
  },
  listen: {
    about: 'print the events of a company as they come',
    load: async () => (await import('./commands/listen.ts')).listen,
  },
  schemas: {
    about: 'certificate schemas beside those that come with Millseal',
    verbs: {
      add: {
        about: 'import schemas, labels and layouts from a folder',
        load: async () => (await import('./commands/schemas-add.ts')).schemasAdd,
      },
      list: {
        about: 'what was imported',
        load: async () => (await import('./commands/schemas-list.ts')).schemasList,
      },
    },
  },
  doctor: {
    about: 'look at everything that a server needs',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  operator: {
    about: 'the people who review companies',
    verbs: {
      create: {
        about: 'make an operator of the platform, or promote somebody',
        load: async () => (await import('./commands/operator-create.ts')).operatorCreate,
      },
    },
  },
  keys: {
    about: 'replace the keys that sign tokens and seal secrets',
    verbs: {
      'rotate-signing': {
        about: 'replace the key that signs access tokens',
        load: async () => (await import('./commands/keys-rotate-signing.ts')).keysRotateSigning,
      },
      'rotate-master': {
        about: 'lay everything that is sealed at rest under a new master key',
        load: async () => (await import('./commands/keys-rotate-master.ts')).keysRotateMaster,
      },
    },
  },
  backup: {
    about: 'keep everything in a folder, beside a running server or without one',
    load: async () => (await import('./commands/backup.ts')).backup,
  },
  restore: {
    about: 'put a backup into an empty installation, and verify it',
    load: async () => (await import('./commands/restore.ts')).restore,
  },
  log: {
    about: 'the transparency logs that certificates are recorded in',
    verbs: {
      verify: {
        about: 'read a whole log and compare everything that is said of it',
        load: async () => (await import('./commands/log-verify.ts')).logVerify,
      },
      prove: {
        about: 'prove that a certificate or a transaction is in a log',
        load: async () => (await import('./commands/log-prove.ts')).logProve,
      },
    },
  },
}

export const millseal = (given: readonly string[], environment: Environment): Promise<number> =>
  dispatch(commands, given, environment)
