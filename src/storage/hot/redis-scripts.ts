import { defineScript } from './redis-connection.ts';

/** Begins the error of a call that {@link GUARD} refuses. */
export const LOST_REPLY = 'LOSTSHARD';

/**
 * A counter that would leave 64 bits stays at the end; nothing else that goes wrong is passed over. A counter that holds just what was added
 * may be new: then its window begins. Firm reservations stay at 0: an event that is counted again after a loss takes nothing off what later
 * ads reserve.
 */
export const ADD = `
local function add(key, by, ttl)
  local done = redis.pcall('INCRBY', key, by)
  if type(done) == 'table' and done.err then
    if not string.find(done.err, 'overflow', 1, true) then error(done.err) end
    local at_end = string.sub(by, 1, 1) == '-' and '-9223372036854775808' or '9223372036854775807'
    redis.call('SET', key, at_end, 'KEEPTTL')
    return
  end
  if done == tonumber(by) then redis.call('PEXPIRE', key, ttl, 'NX') end
  if done < 0 and string.find(key, '}c:r/', 1, true) then redis.call('SET', key, '0', 'KEEPTTL') end
end`;

/** Puts a value at the head of a list, which keeps its newest and lives from here on. */
export const PUSH = `
local function push(key, value, most, ttl)
  if redis.call('LPUSH', key, value) > most then redis.call('LTRIM', key, 0, most - 1) end
  redis.call('PEXPIRE', key, ttl)
end`;

/** ARGV from \`at\`: number of counters, then by and time to live of each, then value, most entries and time to live of each list. */
const APPLY = `${ADD}${PUSH}
local function apply(first, at)
  local counters = tonumber(ARGV[at])
  at = at + 1
  for i = first, first + counters - 1 do
    add(KEYS[i], ARGV[at], ARGV[at + 1])
    at = at + 2
  end
  for i = first + counters, #KEYS do
    push(KEYS[i], ARGV[at], tonumber(ARGV[at + 1]), ARGV[at + 2])
    at = at + 3
  end
end`;

/**
 * A value whose operation is open is kept as NUL, the operation's id, a space and the value. Returns the value and the id of its open
 * operation, or ''.
 */
const OPEN = `
local function opened(standing)
  if string.byte(standing, 1) ~= 0 then return standing, '' end
  local id_end = string.find(standing, ' ', 2, true)
  return string.sub(standing, id_end + 1), string.sub(standing, 2, id_end - 1)
end`;

/** The value of a key, as a caller sees it: none while its operation is open. */
export function closedValue(stored: string | null): string | null {
  return stored === null || stored.startsWith('\0') ? null : stored;
}

/** KEYS: the value, then counters, then lists. ARGV: value, its time to live, then the effects. */
export const APPLY_ONCE = defineScript(`${OPEN}${APPLY}
local standing = redis.call('GET', KEYS[1])
if standing then return {0, (opened(standing))} end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
apply(2, 3)
return {1, ARGV[1]}`);

/**
 * The first step of an operation whose effects are in other shards. KEYS: the value. ARGV: value, its time to live, the id of the operation.
 * The same value again, while it is open, goes on under the first id.
 */
export const BEGIN_ONCE = defineScript(`${OPEN}
local standing = redis.call('GET', KEYS[1])
if not standing then
  redis.call('SET', KEYS[1], string.char(0) .. ARGV[3] .. ' ' .. ARGV[1], 'PX', ARGV[2])
  return {1, ARGV[1], ARGV[3]}
end
local value, id = opened(standing)
if value ~= ARGV[1] then return {0, value, ''} end
return {0, value, id}`);

/** The last step. KEYS: the value. ARGV: the id of the operation. */
export const END_ONCE = defineScript(`${OPEN}
local standing = redis.call('GET', KEYS[1])
if not standing then return 0 end
local value, id = opened(standing)
if id ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], value, 'KEEPTTL')
return 1`);

/** The second step, in each shard with effects. KEYS: the mark that they are applied, counters, lists. ARGV: its time to live, effects. */
export const APPLY_MARKED = defineScript(`${APPLY}
if not redis.call('SET', KEYS[1], '1', 'PX', ARGV[1], 'NX') then return 0 end
apply(2, 2)
return 1`);

/**
 * Refuses a call whose shard is not in the state that the caller states, or has seen fewer guarded writes than the caller knows of: it came back
 * with old data. The last arguments are that number and the state, the last keys are where the shard keeps them. An empty state (then there are
 * no such keys) checks nothing.
 */
export const GUARD = `
local stated = table.remove(ARGV)
local least = table.remove(ARGV)
local writes = nil
if stated ~= '' then
  local standing = redis.call('GET', table.remove(KEYS))
  writes = table.remove(KEYS)
  if standing ~= stated or tonumber(redis.call('GET', writes) or 0) < tonumber(least) then
    return redis.error_reply('${LOST_REPLY} of the hot store')
  end
end`;

/** As {@link GUARD}, for calls that write: the shard counts them. */
export const GUARD_WRITES = `${GUARD}
if writes then redis.call('INCR', writes) end`;

/** Numbers of Lua are doubles: the new value is read back as text. */
export const ADD_TO_COUNTERS = defineScript(`${GUARD_WRITES}${ADD}
local values = {}
for i = 1, #KEYS do
  add(KEYS[i], ARGV[2 * i - 1], ARGV[2 * i])
  values[i] = redis.call('GET', KEYS[i])
end
return values`);

/**
 * KEYS: the writer's newest addition, then counters. ARGV: number, its time to live, then by and time to live of each counter. Returns
 * the newest addition: its number and the values after it.
 */
export const ADD_NUMBERED = defineScript(`${ADD}
local kept = redis.call('GET', KEYS[1])
if kept and tonumber(string.match(kept, '^%d+')) >= tonumber(ARGV[1]) then return kept end
kept = ARGV[1]
for i = 2, #KEYS do
  add(KEYS[i], ARGV[2 * i - 1], ARGV[2 * i])
  kept = kept .. ' ' .. redis.call('GET', KEYS[i])
end
redis.call('SET', KEYS[1], kept, 'PX', ARGV[2])
return kept`);

/**
 * One step of a pass over all keys of a server, which are looked at where they are. ARGV: cursor, pattern, how many keys, the length of
 * what every key begins with, then prefixes of keys as callers name them: after the shard's tag and the kind. Of prefixes there are many, of
 * their lengths few.
 */
export const DELETE_SCANNED = defineScript(`
local page = redis.call('SCAN', ARGV[1], 'MATCH', ARGV[2], 'COUNT', ARGV[3])
local indexes, lengths, known, deleted = {}, {}, {}, {}
for i = 5, #ARGV do
  local prefix = ARGV[i]
  deleted[i - 4] = 0
  if not indexes[prefix] then indexes[prefix] = i - 4 end
  if not known[#prefix] then
    known[#prefix] = true
    lengths[#lengths + 1] = #prefix
  end
end
for _, key in ipairs(page[2]) do
  local index = nil
  local tag_end = string.find(key, '}', tonumber(ARGV[4]), true)
  if tag_end and string.find(key, '^[vcl]:', tag_end + 1) then
    for _, length in ipairs(lengths) do
      local found = indexes[string.sub(key, tag_end + 3, tag_end + 2 + length)]
      if found and (not index or found < index) then index = found end
    end
  end
  if index then deleted[index] = deleted[index] + redis.call('DEL', key) end
end
return {page[1], deleted}`);
