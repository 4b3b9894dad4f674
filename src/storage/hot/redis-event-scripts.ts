import { defineScript } from './redis-connection.ts';
import { ADD, GUARD, GUARD_WRITES, PUSH } from './redis-scripts.ts';

/**
 * The progress of a file in a shard. KEYS[1]: its progress, with the fields c (claimed to) and a (added to). ARGV[1]: where the caller knows it,
 * ARGV[2]: where it goes, ARGV[3]: when the call was made, ARGV[4]: how late a call may begin a file. A call that is older may belong to a
 * file that is counted and forgotten.
 */
const STATE = `
local function state(field)
  local kept = redis.call('HGET', KEYS[1], field)
  local at = tonumber(kept or 0)
  local known = tonumber(ARGV[1])
  if at < known then return 'lost', at end
  if at >= tonumber(ARGV[2]) then return 'done', at end
  if at > known then return 'ahead', at end
  if not kept then
    local now = redis.call('TIME')
    local age = now[1] * 1000 + now[2] / 1000 - tonumber(ARGV[3])
    if age > tonumber(ARGV[4]) or age < -tonumber(ARGV[4]) then return 'late', at end
  end
  return 'next', at
end
local function go(field)
  redis.call('HSET', KEYS[1], field, ARGV[2])
  if ARGV[1] == '0' then redis.call('PEXPIRE', KEYS[1], ARGV[5], 'NX') end
end`;

/**
 * Claims the events of lines. KEYS: the file's progress, its duplicates, sets. ARGV: as \`STATE\`, how long the progress lives, offsets of lines that are
 * duplicates already, then for each set: its time to live, how many events, their numbers and the offsets of their lines. Returns the
 * state, how far the file is claimed, and offsets of duplicates.
 */
export const CLAIM_EVENTS = defineScript(`${GUARD_WRITES}${STATE}
local is, at = state('c')
if is == 'done' or is == 'ahead' then return {is, at, redis.call('GET', KEYS[2]) or ''} end
if is ~= 'next' then return {is, at, ''} end
local found = ARGV[6]
local from = 7
for k = 3, #KEYS do
  local ttl, events = tonumber(ARGV[from]), tonumber(ARGV[from + 1])
  local ops, last = {}, 0
  for i = from + 2, from + 1 + events do
    ops[last + 1], ops[last + 2], ops[last + 3], ops[last + 4] = 'SET', 'u1', ARGV[i], 1
    last = last + 4
  end
  local before = redis.call('BITFIELD', KEYS[k], unpack(ops))
  for i = 1, events do
    if before[i] == 1 then found = found .. ARGV[from + 1 + events + i] .. ' ' end
  end
  if redis.call('PTTL', KEYS[k]) < ttl then redis.call('PEXPIRE', KEYS[k], math.floor(ttl * 33 / 32)) end
  from = from + 2 + 2 * events
end
if found ~= '' then
  redis.call('APPEND', KEYS[2], found)
  redis.call('PEXPIRE', KEYS[2], ARGV[5], 'NX')
end
go('c')
return {is, tonumber(ARGV[2]), found}`);

/**
 * Adds what lines add. KEYS: the file's progress, counters, lists. ARGV: as \`STATE\`, how long the progress lives, number of counters, then
 * by and time to live of each, then value, most entries and time to live of each push. Returns the state and how far the file is added.
 */
export const ADD_EVENTS = defineScript(`${GUARD_WRITES}${ADD}${PUSH}${STATE}
local is, at = state('a')
if is ~= 'next' then return {is, at} end
local counters = tonumber(ARGV[6])
local from = 7
for k = 2, 1 + counters do
  add(KEYS[k], ARGV[from], ARGV[from + 1])
  from = from + 2
end
for k = 2 + counters, #KEYS do
  push(KEYS[k], ARGV[from], tonumber(ARGV[from + 1]), ARGV[from + 2])
  from = from + 3
end
go('a')
return {is, tonumber(ARGV[2])}`);

/** Whether an event is in a set. KEYS: the set. ARGV: its number there. */
export const HAS_EVENT = defineScript(`${GUARD}
return redis.call('GETBIT', KEYS[1], ARGV[1])`);
