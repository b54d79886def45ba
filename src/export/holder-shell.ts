/**
 * Functions in bash for programs that count a node's jobs: whether a name is a
 * family's, and which family the node is reserved to. They need the arrays `families`,
 * `count` (jobs here) and `reached` (when the last one came, s), `ttl_seconds` (empty:
 * for ever) and `held_by`: the number of the family that holds the node, 0 for none.
 */
export const HOLDER_FUNCTIONS = String.raw`
# What is no family's name must not come near an array's index: bash would evaluate it.
is_known() {
  local family
  for family in "@{families[@]}"; do
    [ "$1" = "$family" ] && return 0
  done
  return 1
}

# Whether the family keeps others off: it has jobs here, and (with a TTL) one came not long ago.
holds() {
  [ "@{count[$1]}" -gt 0 ] || return 1
  [ -z "$ttl_seconds" ] || [ $(($(date +%s) - @{reached[$1]:-0})) -lt "$ttl_seconds" ]
}

# The first to come keeps the node.
choose_holder() {
  local at
  if [ "$held_by" -gt 0 ] && holds "@{families[$((held_by - 1))]}"; then return 0; fi
  held_by=0
  for at in "@{!families[@]}"; do
    if holds "@{families[$at]}"; then
      held_by=$((at + 1))
      return 0
    fi
  done
}`.trim();
