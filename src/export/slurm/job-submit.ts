import type { ExportedFile, ExportRequest } from "../exporter.ts";
import { header, lines } from "../text.ts";
import { reservationsAsked } from "./names.ts";
import { tried } from "../tried.ts";

/** The job-submit plugin: says which jobs are of a family, by the reservation that it has them ask for. */
export function jobSubmit(request: ExportRequest): ExportedFile {
  const families = request.families
    .map(
      (family) =>
        `  { kind = "${family.kind}", name = "${family.name}", reservations = "${reservationsAsked(family, request)}" },`,
    )
    .join("\n");
  const text = `
${header("--", {
  what: "job-submit plugin of slurmctld: recognises the jobs of a family and has them ask for its reservation.",
  where:
    "beside slurm.conf, as job_submit.lua, with JobSubmitPlugins=lua in slurm.conf. " +
    "Where there is one already, call croft_submit and croft_modify from yours.",
  check: "luac -p job_submit.lua; then the steps of README.md.",
  request,
  tried: tried.slurm,
})}

-- A job belongs to the first family that it fits.
local families = {
${families}
}

-- The number of a UNIX group, which is what Slurm tells us of a job.
local function group_id(name)
  local pipe = io.popen("getent group -- '" .. name .. "'")
  local entry = pipe and pipe:read("*l") or ""
  if pipe then pipe:close() end
  return tonumber(string.match(entry or "", "^[^:]*:[^:]*:(%d+)"))
end

for _, family in ipairs(families) do
  if family.kind == "group" then
    family.group_id = group_id(family.name)
    if family.group_id == nil then
      slurm.log_error("croft: there is no group %s: none of its jobs is recognised", family.name)
    end
  end
end

local function default_partition(part_list)
  for name, partition in pairs(part_list) do
    if partition.flag_default == 1 then return name end
  end
  return nil
end

-- Whether all partitions that a job names are this one: which of several it will run in is not yet known.
local function is_only(partitions, name)
  if partitions == nil then return false end
  for each in string.gmatch(partitions, "[^,]+") do
    if each ~= name then return false end
  end
  return true
end

local function family_of(job)
  for _, family in ipairs(families) do
    if (family.kind == "queue" and is_only(job.partition, family.name))
      or (family.kind == "user" and job.user == family.name)
      or (family.kind == "group" and family.group_id ~= nil and job.group_id == family.group_id)
      or (family.kind == "project" and job.account == family.name)
    then
      return family
    end
  end
  return nil
end

local function is_ours(reservation)
  return reservation ~= nil and string.find("," .. reservation, ",croft_", 1, true) ~= nil
end

local function is_given(text)
  return text ~= nil and text ~= ""
end

local function refuse(reason)
  slurm.log_user("job packing: %s", reason)
  -- scontrol shows its user no more than "Unspecified error": the log has the reason.
  slurm.log_info("job packing: %s", reason)
  return slurm.ERROR
end

function croft_submit(job_desc, part_list)
  local family = family_of({
    partition = is_given(job_desc.partition) and job_desc.partition or default_partition(part_list),
    user = job_desc.user_name,
    group_id = job_desc.group_id,
    account = is_given(job_desc.account) and job_desc.account or job_desc.default_account,
  })
  local wanted = family and family.reservations or nil
  -- The jobs of a reservation of the site's own go where that says.
  if is_given(job_desc.reservation) and not is_ours(job_desc.reservation) then return slurm.SUCCESS end
  if is_given(job_desc.reservation) and job_desc.reservation ~= wanted then
    return refuse("reservations called croft_... are given to jobs by their partition, user, group or account: leave them out")
  end
  if wanted ~= nil then job_desc.reservation = wanted end
  return slurm.SUCCESS
end

function croft_modify(job_desc, job_rec, part_list)
  local family = family_of({
    partition = is_given(job_desc.partition) and job_desc.partition or job_rec.partition,
    user = job_rec.user_name,
    group_id = job_rec.group_id,
    account = is_given(job_desc.account) and job_desc.account or job_rec.account,
  })
  local wanted = family and family.reservations or ""
  local asked = job_desc.reservation
  if is_given(asked) and not is_ours(asked) then return slurm.SUCCESS end
  if is_given(asked) or (asked ~= nil and wanted ~= "") then return refuse("reservations called croft_... are not changed by hand") end
  if not (is_given(job_desc.partition) or is_given(job_desc.account)) then return slurm.SUCCESS end
  local has = job_rec.resv_name or ""
  if has == wanted or (has ~= "" and not is_ours(has)) then return slurm.SUCCESS end
  -- slurmctld (22.05) lets us neither take a reservation away here nor give a job more than one.
  return refuse("a job is of a family, or not, from the start: submit it again")
end

function slurm_job_submit(job_desc, part_list, submit_uid)
  return croft_submit(job_desc, part_list)
end

function slurm_job_modify(job_desc, job_rec, part_list, modify_uid)
  return croft_modify(job_desc, job_rec, part_list)
end

return slurm.SUCCESS
`;
  return { name: "job_submit.lua", text: lines(text), isExecutable: false };
}
