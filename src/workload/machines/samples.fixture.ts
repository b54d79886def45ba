/** A made-up list of every format, true to what the programs print: what its test reads, and the fuzzer damages. */

const csv = "id,cores,memory,gpu\nh0,8,1024,0\nh1,2.5,512,1\n";

const alea = "0\tbig\t2\t80\t1\t529426432\n1\tsmall\t1\t12\t1\t94035968\n";

const openb = "sn,cpu_milli,memory_mib,gpu,model\nn1,32000,262144,0,\nn2,1500,1024,8,G3\n";

/** By the format's name. */
export const samples: Readonly<Record<string, string>> = {
  csv,
  alea,
  openb,
};
