#!/usr/bin/env node
'use strict'

/*
 * Runs Storeferry on the Node it needs: the one that runs this file when it is new enough, else the one that comes as a
 * package. CommonJS and old syntax, because a Node that is too old must be able to read it.
 */
const { spawn } = require('node:child_process')
const { createHash } = require('node:crypto')
const fs = require('node:fs')
const { constants, enableCompileCache } = require('node:module')
const os = require('node:os')
const path = require('node:path')
const { pathToFileURL } = require('node:url')
const packagedNode = require('./packaged-node.json')

const oldestMajor = 24
const home = path.dirname(__dirname)

leaveNoMemoryToDumps()
endWithNpm()
if (Number.parseInt(process.versions.node, 10) >= oldestMajor) {
  if (mayBeDumped()) runWithoutDumps()
  runHere()
} else {
  runOnPackagedNode()
}

/**
 * A memory dump would hold tokens and the master key (S32). Programs that collect dumps through a pipe ignore the limit of their size;
 * for them the filter leaves no memory to collect. All that we start inherits both.
 */
function leaveNoMemoryToDumps() {
  try {
    fs.writeFileSync('/proc/self/coredump_filter', '0')
  } catch (error) {
    // Not Linux, or a kernel that writes no dumps.
    if (!['ENOENT', 'EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error
  }
}

/** `npm start`, `npm run demo` and `npx` pass SIGTERM on to their shell only, which ends at once and would leave us behind. */
function endWithNpm() {
  const { npm_package_name: owner, npm_lifecycle_event: event } = process.env
  if (event !== 'npx' && !(owner === 'storeferry' && ['start', 'demo'].includes(event))) return
  const parent = process.ppid
  const looking = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(looking)
    process.kill(process.pid, 'SIGTERM')
  }, 1000)
  looking.unref()
}

/** On Linux, whether the host allows dumps of this process. */
function mayBeDumped() {
  const limit = /^Max core file size +(\w+)/m.exec(readOrNothing('/proc/self/limits') || '')
  return limit !== null && limit[1] !== '0'
}

/** Node cannot lower its own limit: this process becomes the shell, which does, and then this program again. */
function runWithoutDumps() {
  const program = [process.execPath, ...process.execArgv, __filename, ...process.argv.slice(2)]
  process.execve('/bin/sh', ['sh', '-c', 'ulimit -c 0 && exec "$0" "$@"', ...program])
}

/**
 * A published package has JavaScript in dist/ instead of the sources: Node strips no types below node_modules. In a checkout the
 * sources win over a dist/ that an earlier `npm pack` has left.
 */
async function runHere() {
  const source = path.join(home, 'src', 'main.ts')
  const entry = fs.existsSync(source) ? source : path.join(home, 'dist', 'src', 'main.js')
  keepCompiled(path.join(home, 'node_modules', '.cache', 'storeferry', 'compiled'))
  const { main } = await import(pathToFileURL(entry).href)
  await main(process.argv.slice(2))
}

/**
 * Programs start in half the time when Node need not strip types and compile again. Kept beside the packages, where nobody can
 * write who could not also replace this file; where we may not write, Node goes on without. Children of runs find it by the
 * environment.
 */
function keepCompiled(directory) {
  if (process.env.NODE_COMPILE_CACHE) return
  const { status } = enableCompileCache(directory)
  if (status !== constants.compileCacheStatus.FAILED) process.env.NODE_COMPILE_CACHE = directory
}

function runOnPackagedNode() {
  const program = findPackagedNode()
  const child = spawn(program, [__filename, ...process.argv.slice(2)], { stdio: 'inherit' })
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, () => forward(signal, child))
  child.on('error', (error) => refuse(`The packaged Node ${program} does not start (${error.code}).`))
  child.on('exit', (code, signal) => {
    for (const forwarded of signals) process.removeAllListeners(forwarded)
    if (signal) endBy(signal)
    else process.exitCode = code
  })
}

/** A terminal sends Ctrl-C to both of us; forwarded as well, it would be the second one, which ends the program without order. */
function forward(signal, child) {
  if (signal === 'SIGINT' && process.stdin.isTTY) return
  child.kill(signal)
}

const dumpingSignals = ['SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGQUIT', 'SIGSEGV', 'SIGSYS', 'SIGTRAP']

/**
 * Ends as the child ended, so that a shell or a service manager sees the signal; the code is for signals that do not end us, and for
 * those by which an older Node, which cannot lower its limit, would leave a dump of its own.
 */
function endBy(signal) {
  process.exitCode = 128 + (os.constants.signals[signal] ?? 0)
  if (!dumpingSignals.includes(signal)) process.kill(process.pid, signal)
}

function findPackagedNode() {
  const platform = packagedNode.platforms[`${process.platform}-${process.arch}`]
  const manifest = platform && resolveOrNothing(`${platform.package}/package.json`)
  if (!manifest) {
    const remedy =
      'install Node 24 from https://nodejs.org, or run "npm ci" without --omit=optional where a packaged Node exists'
    refuse(`Storeferry needs Node ${oldestMajor} or later and this is ${process.version}; ${remedy}.`)
  }
  const program = path.join(path.dirname(manifest), platform.program)
  verify(
    program,
    platform.sha256,
    path.join(path.dirname(manifest), '..', '.cache', 'storeferry', 'packaged-node.json'),
  )
  return program
}

function resolveOrNothing(request) {
  try {
    return require.resolve(request)
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}

/**
 * Refuses a program that is not the recorded one. Reading 120 MB takes about 0.3 s, so what was found is kept beside the
 * packages, where nobody can write who could not also replace this file.
 */
function verify(program, expected, marker) {
  const state = fs.statSync(program, { bigint: true })
  const seen = [expected, state.ino, state.size, state.mtimeNs, state.ctimeNs].join(' ')
  if (readOrNothing(marker) === seen) return
  const actual = sha256(program)
  if (actual !== expected) {
    refuse(
      `${program} is not the recorded Node ${packagedNode.version} (SHA-256 ${actual}); run "npm ci" to restore it.`,
    )
  }
  remember(marker, seen)
}

function sha256(file) {
  const hash = createHash('sha256')
  const chunk = Buffer.allocUnsafe(4 * 1024 * 1024)
  const descriptor = fs.openSync(file, 'r')
  try {
    for (let read = 1; read > 0; ) {
      read = fs.readSync(descriptor, chunk, 0, chunk.length, null)
      hash.update(chunk.subarray(0, read))
    }
  } finally {
    fs.closeSync(descriptor)
  }
  return hash.digest('hex')
}

function readOrNothing(file) {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** Installed where we may not write, the check is simply made at every start. */
function remember(marker, seen) {
  try {
    fs.mkdirSync(path.dirname(marker), { recursive: true })
    fs.writeFileSync(marker, seen, { mode: 0o644 })
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error
  }
}

function refuse(message) {
  console.error(message)
  process.exit(1)
}
